package dev.rowcast.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.rowcast.event.Column;
import dev.rowcast.event.JsonObject;
import dev.rowcast.event.TableId;
import dev.rowcast.policy.eval.CompiledPredicate;
import dev.rowcast.policy.lookup.RowIndexes;
import dev.rowcast.policy.sql.Analyser;
import dev.rowcast.policy.sql.Parser;
import dev.rowcast.policy.sql.TableColumns;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs the SQL that stands in {@code docs/policies.md}. */
class PolicyGuideTest {
  private static final TableId DOCUMENTS = new TableId("public", "documents");
  private static final InstantSource NOW =
      InstantSource.fixed(Instant.parse("2026-12-01T00:00:00Z"));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Own rows                  | 1 4
          Tenant                    | 1 2
          Team membership           | 1 3
          Role hierarchy            | 1 2
          Time window               | 1 3
          Soft-deleted              | 1
          Published, or one's own   | 1 2 4
          Nested groups             | 3
          Scoped partner key        | 2 4
          """)
  void theGuidesRulesShowWhatItSays(String title, String visible) throws Exception {
    CompiledPredicate predicate =
        CompiledPredicate.compile(
            Analyser.analyse(Parser.parse(sql(title)), DOCUMENTS, "documents", new Columns())
                .predicate(),
            members(),
            NOW);
    Map<String, Object> claims =
        Map.of(
            "sub",
            "ann",
            "tenant",
            "00000000-0000-0000-0000-00000000000a",
            "clearance",
            2L,
            "partner_teams",
            List.of(20L, 40L));
    CompiledPredicate.Bound bound = predicate.bind(claims::get);
    List<String> shown = new ArrayList<>();
    for (int id = 1; id <= 4; id++) {
      if (bound.test(document(id))) {
        shown.add(String.valueOf(id));
      }
    }
    assertEquals(visible, String.join(" ", shown));
  }

  @ParameterizedTest
  @CsvSource({
    "provisa.user_region, exact bare short, exact",
    "provisa.user_region, bare short, bare",
    "provisa.user_region, short, short",
    "user_region, exact bare short, bare",
    "user_region, exact short, short",
    "region, exact bare short, short",
    "provisa.region, exact bare short, short",
    "region, exact bare, ''",
  })
  void aSettingIsTheFirstClaimOfTheNamesThatTheGuideLists(
      String setting, String callers, String chosen) {
    Map<String, String> names =
        Map.of("exact", "provisa.user_region", "bare", "user_region", "short", "region");
    Map<String, Object> claims = new HashMap<>();
    for (String name : callers.split(" ", -1)) {
      claims.put(names.get(name), name);
    }
    String sql = "owner = coalesce(current_setting('" + setting + "', true), '')";
    CompiledPredicate.Bound bound =
        CompiledPredicate.compile(
                Analyser.analyse(Parser.parse(sql), DOCUMENTS, "documents", new Columns())
                    .predicate(),
                members(),
                NOW)
            .bind(claims::get);
    for (String owner : List.of("exact", "bare", "short", "")) {
      assertEquals(owner.equals(chosen), bound.test(json("{\"owner\":\"" + owner + "\"}")), owner);
    }
  }

  private static JsonObject document(int id) {
    return json(
        switch (id) {
          case 1 -> document("ann", 'a', 10, 1, "draft", "private", "2026-11-20", "null", 1);
          case 2 ->
              document(
                  "bob",
                  'a',
                  20,
                  1,
                  "published",
                  "partner",
                  "2026-01-01",
                  "\"2026-11-01T00:00:00Z\"",
                  2);
          case 3 -> document("bob", 'b', 10, 2, "draft", "private", "2026-11-30", "null", 3);
          default -> document("ann", 'b', 40, 3, "draft", "public", "2027-01-01", "null", 9);
        });
  }

  private static String document(
      String owner,
      char tenant,
      int team,
      int folder,
      String status,
      String visibility,
      String published,
      String deleted,
      int level) {
    return """
        {"owner":"%s","tenant_id":"00000000-0000-0000-0000-00000000000%s","team_id":%d,"folder_id":%d,\
        "status":"%s","visibility":"%s","published_at":"%sT00:00:00Z","deleted_at":%s,"level":%d}"""
        .formatted(owner, tenant, team, folder, status, visibility, published, deleted, level);
  }

  private static RowIndexes members() {
    TableId members = new TableId("public", "team_members");
    TableId folders = new TableId("public", "folders");
    RowIndexes rows =
        new RowIndexes(
            Map.of(members, Set.of("team_id", "user_id"), folders, Set.of("id", "team_id")));
    rows.apply(members, json("{\"id\":1}"), json("{\"team_id\":10,\"user_id\":\"ann\"}"));
    rows.apply(members, json("{\"id\":2}"), json("{\"team_id\":20,\"user_id\":\"bob\"}"));
    rows.apply(folders, json("{\"id\":1}"), json("{\"id\":1,\"team_id\":20}"));
    rows.apply(folders, json("{\"id\":2}"), json("{\"id\":2,\"team_id\":10}"));
    rows.ready();
    return rows;
  }

  private static JsonObject json(String json) {
    return JsonObject.of(json.getBytes(StandardCharsets.UTF_8));
  }

  private static String sql(String title) throws IOException {
    String guide = Files.readString(Path.of("../docs/policies.md"));
    Matcher section =
        Pattern.compile(
                "### " + Pattern.quote(title) + "\n(?:(?!###).)*?```sql\n(.*?)```", Pattern.DOTALL)
            .matcher(guide);
    if (!section.find()) {
      throw new AssertionError("no SQL under '" + title + "' in docs/policies.md");
    }
    return section.group(1);
  }

  /** The tables of the guide. */
  private record Columns() implements TableColumns {
    @Override
    public Optional<TableId> table(@Nullable String schema, String name) {
      return Optional.of(new TableId("public", name));
    }

    @Override
    public Known columns(TableId table) {
      return new Known(
          switch (table.name()) {
            case "team_members" ->
                List.of(Column.of("team_id", "bigint"), Column.of("user_id", "text"));
            case "folders" -> List.of(Column.of("id", "bigint"), Column.of("team_id", "bigint"));
            default ->
                List.of(
                    Column.of("owner", "text"),
                    Column.of("tenant_id", "uuid"),
                    Column.of("team_id", "bigint"),
                    Column.of("folder_id", "bigint"),
                    Column.of("status", "text"),
                    Column.of("visibility", "text"),
                    Column.of("published_at", "timestamptz"),
                    Column.of("deleted_at", "timestamptz"),
                    Column.of("level", "integer"));
          },
          true);
    }
  }
}
