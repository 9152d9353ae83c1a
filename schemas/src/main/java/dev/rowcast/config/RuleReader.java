package dev.rowcast.config;

import dev.rowcast.config.RelationshipConfig.Cardinality;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads {@code roles}, {@code relationships} and {@code rls_rules}. */
final class RuleReader {
  private static final String READ = "events.read";
  private static final String MANAGE = "events.manage";
  private static final Set<String> CAPABILITIES = new LinkedHashSet<>(List.of(READ, MANAGE));

  private final Faults faults;

  private final RulePlaces places;

  /**
   * @param places told where rules stand
   */
  RuleReader(RulePlaces places, Faults faults) {
    this.places = places;
    this.faults = faults;
  }

  /** The roles by id, {@code admin} first, which there always is. */
  Map<String, RoleConfig> roles(List<Section> sections) {
    Map<String, RoleConfig> roles = new LinkedHashMap<>();
    roles.put(RoleConfig.ADMIN, new RoleConfig(RoleConfig.ADMIN, List.copyOf(CAPABILITIES)));
    Set<String> seen = new HashSet<>();
    Set<String> known = new LinkedHashSet<>(List.of(RoleConfig.ADMIN));
    for (Section section : sections) {
      Yaml.Scalar id = section.scalar("id");
      known.addAll(id == null ? List.of() : List.of(id.text()));
    }
    for (Section section : sections) {
      String id = id(section, seen, "role");
      List<String> inherits = section.references("inherits", "role", known);
      Set<String> capabilities = new LinkedHashSet<>(List.of(READ));
      List<String> named = section.references("capabilities", "capability", CAPABILITIES);
      capabilities.addAll(named == null ? List.of() : named);
      section.end();
      if (id != null && !id.equals(RoleConfig.ADMIN)) {
        roles.put(
            id,
            new RoleConfig(id, List.copyOf(capabilities), inherits == null ? List.of() : inherits));
      }
    }
    return roles;
  }

  private @Nullable String id(Section section, Set<String> seen, String what) {
    String id = section.text("id", Forms.ID, Forms.ID_EXPECTED);
    if (!section.has("id")) {
      faults.missing(section.place(), "id", Forms.ID_EXPECTED);
    }
    if (id != null && !seen.add(id)) {
      faults.add(section.placeOf("id"), what + " id '" + id + "' again", "an id of its own");
    }
    return id;
  }

  List<RelationshipConfig> relationships(List<Section> sections, Set<String> tables) {
    List<RelationshipConfig> relationships = new ArrayList<>();
    Set<String> ids = new HashSet<>();
    Set<List<String>> fields = new HashSet<>();
    for (Section section : sections) {
      String id = id(section, ids, "relationship");
      String name = section.text("name", Forms.FIELD, Forms.FIELD_EXPECTED);
      String source = table(section, "source_table_id", tables);
      String target = table(section, "target_table_id", tables);
      String sourceColumn = section.required("source_column", "a column of the source table");
      String targetColumn = section.required("target_column", "a column of the target table");
      Cardinality given = section.choice("cardinality", "cardinality", Cardinality.class);
      Cardinality cardinality = given == null ? Cardinality.MANY_TO_ONE : given;
      section.end();
      String field = section.has("name") ? name : target;
      if (source != null && field != null && !fields.add(List.of(source, field))) {
        faults.add(
            section.has("name") ? section.placeOf("name") : section.place(),
            "a second field '" + field + "' of table '" + source + "'",
            "a name of its own");
      }
      if (id != null
          && source != null
          && target != null
          && sourceColumn != null
          && targetColumn != null) {
        relationships.add(
            new RelationshipConfig(
                id, name, source, target, sourceColumn, targetColumn, cardinality));
      }
    }
    return relationships;
  }

  private @Nullable String table(Section section, String key, Set<String> tables) {
    return reference(section, key, "the id of a table", "table id", tables);
  }

  private @Nullable String reference(
      Section section, String key, String expected, String what, Set<String> known) {
    if (!section.has(key)) {
      faults.missing(section.place(), key, expected);
    }
    return section.reference(key, what, known);
  }

  List<RlsRuleConfig> rlsRules(List<Section> sections, Set<String> tables, Set<String> roles) {
    List<RlsRuleConfig> rules = new ArrayList<>();
    Set<List<String>> seen = new HashSet<>();
    for (Section section : sections) {
      String table = table(section, "table_id", tables);
      String role = reference(section, "role_id", "the id of a role", "role", roles);
      String filter = section.required("filter", "an SQL predicate as a text");
      section.end();
      if (table == null || role == null) {
        continue;
      }
      if (!seen.add(List.of(table, role))) {
        faults.add(
            section.place(),
            "a second rule for table '" + table + "' and role '" + role + "'",
            "one rule, its conditions joined by AND or OR");
      } else if (filter != null) {
        rules.add(new RlsRuleConfig(table, role, filter));
        places.put(RuleFault.Kind.RULE, table, role, section.placeOf("filter"));
      }
    }
    return rules;
  }
}
