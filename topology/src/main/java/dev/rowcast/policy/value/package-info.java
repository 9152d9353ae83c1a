/**
 * SQL values as PostgreSQL has them: types, how they read and are written as text, how they compare
 * and what arithmetic makes of them. Everything that raises in PostgreSQL raises here: {@link
 * dev.rowcast.policy.value.ValueException}.
 *
 * <p>A value in Java, SQL NULL being null:
 *
 * <table>
 *   <caption>types</caption>
 *   <tr><td>smallint, integer, bigint</td><td>{@link java.lang.Long}</td></tr>
 *   <tr><td>numeric</td><td>{@link java.math.BigDecimal}; NaN and infinities as {@link
 *       java.lang.Double}</td></tr>
 *   <tr><td>real, double precision</td><td>{@link java.lang.Double}</td></tr>
 *   <tr><td>text, character, uuid, other</td><td>{@link java.lang.String}</td></tr>
 *   <tr><td>boolean</td><td>{@link java.lang.Boolean}</td></tr>
 *   <tr><td>bytea</td><td>{@code byte[]}</td></tr>
 *   <tr><td>date</td><td>{@link java.lang.Long}: days since 1970</td></tr>
 *   <tr><td>time</td><td>{@link java.lang.Long}: µs of the day</td></tr>
 *   <tr><td>timestamp, timestamptz</td><td>{@link java.lang.Long}: µs since 1970</td></tr>
 *   <tr><td>interval</td><td>{@link dev.rowcast.policy.value.Interval}</td></tr>
 *   <tr><td>json, jsonb</td><td>{@link dev.rowcast.policy.value.Json}</td></tr>
 *   <tr><td>arrays</td><td>{@link java.util.List}, elements nullable, any depth flattened</td></tr>
 * </table>
 *
 * <p>Text compares by code point, PostgreSQL's collations {@code C} and {@code C.UTF-8}; a
 * session's time zone is UTC.
 */
@NullMarked
package dev.rowcast.policy.value;

import org.jspecify.annotations.NullMarked;
