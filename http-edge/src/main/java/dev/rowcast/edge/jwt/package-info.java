/**
 * JWTs as credentials: whether one is to be believed, and whom it speaks for. Nothing that a token
 * says decides how it is judged but its {@code iss}, which picks the entry of the configuration,
 * and its {@code kid}, which picks among that issuer's keys. Why this library: {@code
 * docs/decisions/0007-tokens.md}.
 */
@NullMarked
package dev.rowcast.edge.jwt;

import org.jspecify.annotations.NullMarked;
