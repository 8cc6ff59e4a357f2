package gatebook.api.owner;

import java.lang.management.ManagementFactory;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A process that records in another's journal, or only asks there.
 *
 * @param node the name under which it writes
 */
record Member(String node, long pid, boolean records) {

  private static final Pattern NAME = Pattern.compile("[\\x21-\\x7e]{1,255}");

  static Member thisProcess() {
    return thisProcess(true);
  }

  /** It leaves nothing open when it ends. */
  static Member whoOnlyAsks() {
    return thisProcess(false);
  }

  private static Member thisProcess(boolean records) {
    return new Member(
        ManagementFactory.getRuntimeMXBean().getName(), ProcessHandle.current().pid(), records);
  }

  /** Null when that is no name. */
  static @Nullable Member of(String node, long pid, boolean records) {
    return NAME.matcher(node).matches() ? new Member(node, pid, records) : null;
  }
}
