package dev.rowcast.config;

/**
 * Which rows a role sees of a table: an entry of {@code rls_rules}.
 *
 * @param tableId whose rows
 * @param roleId for which role
 * @param filter an SQL predicate over the row and the caller's claims
 */
public record RlsRuleConfig(String tableId, String roleId, String filter) {}
