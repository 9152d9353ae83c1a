package dev.rowcast.config;

/**
 * @param tableId whose rows
 * @param roleId for which role
 * @param filter an SQL predicate over the row and the caller's claims
 */
public record RlsRuleConfig(String tableId, String roleId, String filter) {}
