package gatebook.api.node.sharing;

import java.lang.management.ManagementFactory;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A member: a process that records in the owner's journal, or only queries it.
 *
 * @param node the name of its node in the events that it records
 */
record MemberProcess(String node, long pid, boolean records) {

  private static final Pattern NAME = Pattern.compile("[\\x21-\\x7e]{1,255}");

  static MemberProcess thisProcess() {
    return thisProcess(true);
  }

  /** This process as a member that records nothing, and so leaves no calls open. */
  static MemberProcess queryOnly() {
    return thisProcess(false);
  }

  private static MemberProcess thisProcess(boolean records) {
    return new MemberProcess(
        ManagementFactory.getRuntimeMXBean().getName(), ProcessHandle.current().pid(), records);
  }

  /** Null when {@code node} is not a valid name. */
  static @Nullable MemberProcess of(String node, long pid, boolean records) {
    return NAME.matcher(node).matches() ? new MemberProcess(node, pid, records) : null;
  }
}
