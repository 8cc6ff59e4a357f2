package gatebook.api.serve;

import gatebook.query.calls.OpenCall;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.function.Predicate;

/** Whether the process that has an open call is no more, so that somebody else has to close it. */
final class LeftOpen {

  private LeftOpen() {}

  /** Nobody else can have written to an embedded journal since this process holds it. */
  static Predicate<OpenCall> ofEmbedded(Instant since) {
    return call -> call.receivedAt().isBefore(since);
  }

  /**
   * Of nodes on this machine the process is looked for; whether those elsewhere run, nobody here
   * can tell. Names are made of the process's id and its machine's.
   */
  static Predicate<OpenCall> ofShared(Instant since) {
    String own = ManagementFactory.getRuntimeMXBean().getName();
    return call ->
        call.node().equals(own)
            ? call.receivedAt().isBefore(since)
            : machine(call.node()).equals(machine(own)) && !runs(call.node());
  }

  private static String machine(String node) {
    return node.substring(node.indexOf('@') + 1);
  }

  private static boolean runs(String node) {
    try {
      long id = Long.parseLong(node.substring(0, Math.max(0, node.indexOf('@'))));
      return ProcessHandle.of(id).isPresent();
    } catch (NumberFormatException _) {
      return true; // not a name of this form: let it be
    }
  }
}
