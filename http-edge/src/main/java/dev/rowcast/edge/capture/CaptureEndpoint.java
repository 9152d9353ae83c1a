package dev.rowcast.edge.capture;

import dev.rowcast.catalog.Catalog;
import dev.rowcast.edge.auth.Authenticator;
import dev.rowcast.edge.auth.Managers;
import dev.rowcast.edge.request.JsonBody;
import dev.rowcast.edge.request.TableNames;
import dev.rowcast.event.Column;
import dev.rowcast.event.TableId;
import dev.rowcast.problem.Problem;
import dev.rowcast.problem.ProblemException;
import dev.rowcast.problem.ProblemType;
import dev.rowcast.source.Capture;
import dev.rowcast.source.TableDescriptor;
import io.javalin.http.Context;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** {@code /api/ddl/events/tables}: which tables are captured, and having one more or less. */
public final class CaptureEndpoint {
  private final Authenticator authenticator;
  private final Supplier<Managers> managers;
  private final Catalog catalog;
  private final TableNames names;
  private final @Nullable Capture capture;

  /**
   * @param capture null where what is captured is fixed
   */
  public CaptureEndpoint(
      Authenticator authenticator,
      Supplier<Managers> managers,
      Catalog catalog,
      TableNames names,
      @Nullable Capture capture) {
    this.authenticator = authenticator;
    this.managers = managers;
    this.catalog = catalog;
    this.names = names;
    this.capture = capture;
  }

  public void list(Context ctx) {
    requireManager(ctx);
    List<Map<String, Object>> tables =
        catalog.tables().stream().map(CaptureEndpoint::json).toList();
    answer(ctx, Map.of("tables", tables));
  }

  public void get(Context ctx) {
    requireManager(ctx);
    answer(ctx, json(captured(ctx.pathParam("table"))));
  }

  /** Captures the table that the body names. */
  public void enableNamedInBody(Context ctx) {
    requireManager(ctx);
    JsonBody body = JsonBody.read(ctx, "schema", "table");
    String schema = body.optionalText("schema");
    enable(ctx, new TableId(schema == null ? "public" : body.text("schema"), body.text("table")));
  }

  /** Captures the table that the path names. */
  public void enableNamedInPath(Context ctx) {
    requireManager(ctx);
    JsonBody.read(ctx);
    enable(ctx, named(ctx.pathParam("table")));
  }

  public void disable(Context ctx) {
    requireManager(ctx);
    TableDescriptor table = captured(ctx.pathParam("table"));
    requireCapture().disable(table.table());
    ctx.status(204);
  }

  private void enable(Context ctx, TableId table) {
    boolean already = catalog.table(table).isPresent();
    TableDescriptor found = requireCapture().enable(table);
    ctx.status(already ? 200 : 201);
    answer(ctx, json(found));
  }

  private TableDescriptor captured(String name) {
    TableId table = names.resolve("table", name, t -> catalog.table(t).isPresent());
    return catalog.table(table).orElseThrow(() -> TableNames.unknown("table", name).asException());
  }

  /** A table by its id or name where it is known, else one that we needn't have heard of. */
  private TableId named(String name) {
    return names.find("table", name, table -> true).orElseGet(() -> unheardOf(name));
  }

  /** Without a schema it is {@code public}, as in the body. */
  private static TableId unheardOf(String name) {
    int dot = name.indexOf('.');
    if (dot == 0 || dot == name.length() - 1 || dot != name.lastIndexOf('.')) {
      throw Problem.parameter("table", name, "schema.name or name; with more dots, in the body")
          .asException();
    }
    return dot < 0
        ? new TableId("public", name)
        : new TableId(name.substring(0, dot), name.substring(dot + 1));
  }

  private Capture requireCapture() {
    if (capture == null) {
      throw new ProblemException(
          ProblemType.CAPTURE_REFUSED, "What is captured here is set by the configuration alone");
    }
    return capture;
  }

  private void requireManager(Context ctx) {
    managers.get().require(authenticator.byBearer(ctx.header("Authorization")).identity());
  }

  private static void answer(Context ctx, Object body) {
    ctx.header("Cache-Control", "no-store").json(body);
  }

  private static Map<String, Object> json(TableDescriptor table) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("schema", table.table().schema());
    object.put("table", table.table().name());
    object.put("source", table.source());
    object.put("strategy", table.strategy().wire());
    object.put("columns", table.columns().stream().map(CaptureEndpoint::json).toList());
    object.put("key", table.key());
    return object;
  }

  private static Map<String, Object> json(Column column) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("name", column.name());
    object.put("dataType", column.dataType());
    return object;
  }
}
