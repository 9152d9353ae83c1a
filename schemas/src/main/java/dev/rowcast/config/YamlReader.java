package dev.rowcast.config;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Builds a {@link Yaml} tree from the parser's events. What YAML has beyond trees of plain values
 * (anchors, aliases, tags, several documents, keys that aren't texts) is a fault: nothing in a
 * configuration needs it, and aliases let a small file grow without bound. Not thread-safe; for one
 * document.
 */
final class YamlReader {
  private static final int MAX_DEPTH = 32;

  private final EnvironmentVariables variables;
  private final Faults faults;

  YamlReader(EnvironmentVariables variables, Faults faults) {
    this.variables = variables;
    this.faults = faults;
  }

  /** The document; null where it is empty, and where it can't be read: then a fault is told. */
  @Nullable Yaml read(String yaml) {
    try {
      Iterator<Event> events =
          new Parse(LoadSettings.builder().build()).parseString(yaml).iterator();
      Yaml document = null;
      while (events.hasNext()) {
        Event event = events.next();
        if (event instanceof NodeEvent node && document == null) {
          document = node(node, events, "", 0);
        } else if (event instanceof NodeEvent node) {
          faults.add(place(node, ""), "a second document", "one document, without '---' in it");
          return document;
        }
      }
      return document;
    } catch (MarkedYamlEngineException e) {
      faults.add(
          place(e.getProblemMark(), ""), "not YAML: " + e.getProblem(), "a YAML 1.2 document");
    } catch (YamlEngineException e) {
      faults.add(Place.FILE, "not YAML: " + e.getMessage(), "a YAML 1.2 document");
    } catch (TooDeepException e) {
      faults.add(e.place, "nested too deep", "at most " + MAX_DEPTH + " levels");
    }
    return null;
  }

  private Yaml node(NodeEvent event, Iterator<Event> events, String path, int depth) {
    Place place = place(event, path);
    if (depth > MAX_DEPTH) {
      throw new TooDeepException(place);
    }
    if (event instanceof AliasEvent alias) {
      faults.add(place, "an alias (*" + alias.getAlias() + ")", "the value itself, written out");
      return new Yaml.Faulty(place);
    }
    boolean plain = plain(event, place);
    Yaml node;
    if (event instanceof ScalarEvent scalar) {
      node = scalar(scalar, place);
    } else if (event instanceof MappingStartEvent) {
      node = mapping(events, place, depth);
    } else {
      node = sequence(events, place, depth);
    }
    return plain ? node : new Yaml.Faulty(place);
  }

  /** Whether the node has neither anchor nor tag. */
  private boolean plain(NodeEvent event, Place place) {
    Optional<String> tag =
        event instanceof ScalarEvent scalar
            ? scalar.getTag()
            : ((CollectionStartEvent) event).getTag();
    event
        .getAnchor()
        .ifPresent(anchor -> faults.add(place, "an anchor (&" + anchor + ")", "a plain value"));
    tag.ifPresent(name -> faults.add(place, "a tag (" + name + ")", "a value without tag"));
    return event.getAnchor().isEmpty() && tag.isEmpty();
  }

  private Yaml scalar(ScalarEvent event, Place place) {
    String text = event.getValue();
    boolean replaced = EnvironmentVariables.occurIn(text);
    if (replaced) {
      text = variables.replace(text, place);
    }
    if (text == null) {
      return new Yaml.Faulty(place);
    }
    boolean plain = replaced || event.getScalarStyle() == ScalarStyle.PLAIN;
    Yaml.ScalarKind kind = plain ? Yaml.ScalarKind.ofPlain(text) : Yaml.ScalarKind.TEXT;
    return new Yaml.Scalar(place, text, kind, replaced);
  }

  private Yaml sequence(Iterator<Event> events, Place place, int depth) {
    List<Yaml> items = new ArrayList<>();
    while (events.next() instanceof NodeEvent item) {
      items.add(node(item, events, place.item(items.size()), depth + 1));
    }
    return new Yaml.Sequence(place, items);
  }

  private Yaml mapping(Iterator<Event> events, Place place, int depth) {
    Map<String, Yaml.Member> members = new LinkedHashMap<>();
    while (events.next() instanceof NodeEvent event) {
      if (!(event instanceof ScalarEvent key)) {
        faults.add(place(event, place.path()), "a key that isn't a text", "a text as key");
        node(event, events, place.path(), depth + 1);
        node((NodeEvent) events.next(), events, place.path(), depth + 1);
        continue;
      }
      Place keyPlace = place(key, place.child(key.getValue()));
      plain(key, keyPlace);
      Yaml value = node((NodeEvent) events.next(), events, keyPlace.path(), depth + 1);
      Yaml.Member first = members.putIfAbsent(key.getValue(), new Yaml.Member(keyPlace, value));
      if (first != null) {
        String where = "first on line " + first.place().line();
        faults.add(keyPlace, "the same key again, " + where, "each key once");
      }
    }
    return new Yaml.Mapping(place, members);
  }

  private static Place place(Event event, String path) {
    return place(event.getStartMark(), path);
  }

  private static Place place(Optional<Mark> mark, String path) {
    return mark.map(at -> new Place(path, at.getLine() + 1, at.getColumn() + 1))
        .orElse(new Place(path, 0, 0));
  }

  /** Ends the reading: the rest of such a file isn't worth a look. */
  private static final class TooDeepException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final transient Place place;

    TooDeepException(Place place) {
      this.place = place;
    }
  }
}
