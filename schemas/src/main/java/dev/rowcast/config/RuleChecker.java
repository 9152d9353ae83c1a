package dev.rowcast.config;

import java.util.List;

/** Knows what the form of rules and masks doesn't tell: whoever compiles them. */
@FunctionalInterface
public interface RuleChecker {
  /**
   * What is wrong with the rules and masks of a configuration.
   *
   * @param readable what could be read of a file, which may have other faults: its rules are of
   *     tables that are there, but other parts may be missing
   * @return every fault; empty for none
   */
  List<RuleFault> check(Configuration readable);
}
