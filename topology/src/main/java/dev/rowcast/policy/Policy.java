package dev.rowcast.policy;

/**
 * The rules of one configuration, compiled. The same policy serves every outlet. Immutable,
 * thread-safe; a changed configuration is another policy.
 */
public interface Policy {

  /** All that an identity may see. A role that the configuration doesn't know sees nothing. */
  View view(Identity identity);
}
