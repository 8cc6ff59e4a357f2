package gatebook.api.owner;

import java.lang.management.ManagementFactory;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A process that records in another's journal.
 *
 * @param node the name under which it writes
 */
record Member(String node, long pid) {

  private static final Pattern NAME = Pattern.compile("[\\x21-\\x7e]{1,255}");

  static Member thisProcess() {
    return new Member(
        ManagementFactory.getRuntimeMXBean().getName(), ProcessHandle.current().pid());
  }

  /** Null when that is no name. */
  static @Nullable Member of(String node, long pid) {
    return NAME.matcher(node).matches() ? new Member(node, pid) : null;
  }
}
