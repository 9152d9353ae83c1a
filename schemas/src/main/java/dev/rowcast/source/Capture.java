package dev.rowcast.source;

import dev.rowcast.event.TableId;

/**
 * Switches the capture of single tables on and off while everything runs. Calls may take seconds
 * (triggers are created in the database); thread-safe.
 */
public interface Capture {

  /**
   * Captures a table: its changes from now on become events. Its present rows are read, too, and
   * make none; of one that was captured before, what changed meanwhile does. Does nothing where it
   * already is.
   *
   * @return the table as it was found
   * @throws dev.rowcast.problem.ProblemException unknown table, no usable key, no right to install
   *     the triggers, or the worker can't be reached
   */
  TableDescriptor enable(TableId table);

  /**
   * Stops capturing a table and leaves no trace in its database; the events that are out stay.
   *
   * @throws dev.rowcast.problem.ProblemException if it isn't captured or the worker can't be
   *     reached
   */
  void disable(TableId table);
}
