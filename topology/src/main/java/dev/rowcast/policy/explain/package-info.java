/**
 * Why a row is seen or hidden: what rules, their parts and column rules come to, as data, by the
 * very code that decides. Nobody is shown anything by it, and nothing is counted.
 */
@NullMarked
package dev.rowcast.policy.explain;

import org.jspecify.annotations.NullMarked;
