package gatebook.api.node.sharing;

import java.lang.management.ManagementFactory;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A process that records in another's journal, or only asks there.
 *
 * @param node the name under which it writes
 */
record MemberProcess(String node, long pid, boolean records) {

  private static final Pattern NAME = Pattern.compile("[\\x21-\\x7e]{1,255}");

  static MemberProcess thisProcess() {
    return thisProcess(true);
  }

  /** It leaves nothing open when it ends. */
  static MemberProcess whoOnlyAsks() {
    return thisProcess(false);
  }

  private static MemberProcess thisProcess(boolean records) {
    return new MemberProcess(
        ManagementFactory.getRuntimeMXBean().getName(), ProcessHandle.current().pid(), records);
  }

  /** Null when that is no name. */
  static @Nullable MemberProcess of(String node, long pid, boolean records) {
    return NAME.matcher(node).matches() ? new MemberProcess(node, pid, records) : null;
  }
}
