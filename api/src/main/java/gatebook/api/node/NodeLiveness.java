package gatebook.api.node;

import gatebook.query.calls.OpenCall;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Predicate;

/**
 * Decides whether the node that received an open call is dead, so that another process has to close
 * the call. A node's name is made of its process id and the name of its machine.
 */
final class NodeLiveness {

  private static final String OWN = ManagementFactory.getRuntimeMXBean().getName();

  private static final Instant OWN_START =
      Instant.ofEpochMilli(ManagementFactory.getRuntimeMXBean().getStartTime());

  /** The precision with which the operating system reports a process's start. */
  private static final Duration START_PRECISION = Duration.ofSeconds(2);

  private NodeLiveness() {}

  /**
   * Orphaned calls of an embedded journal. Since the journal is on this machine, only processes of
   * this machine write to it.
   */
  static Predicate<OpenCall> orphanedInEmbedded() {
    return call ->
        isOwn(call) ? isOfEarlierProcess(call) : !isOnThisMachine(call.node()) || !isRunning(call);
  }

  /** Orphaned calls of a shared journal. Nodes of other machines count as alive. */
  static Predicate<OpenCall> orphanedInShared() {
    return call ->
        isOwn(call) ? isOfEarlierProcess(call) : isOnThisMachine(call.node()) && !isRunning(call);
  }

  private static boolean isOwn(OpenCall call) {
    return call.node().equals(OWN);
  }

  /** Whether an earlier process with the same id received the call. */
  private static boolean isOfEarlierProcess(OpenCall call) {
    return call.receivedAt().isBefore(OWN_START);
  }

  private static boolean isOnThisMachine(String node) {
    return machine(node).equals(machine(OWN));
  }

  private static String machine(String node) {
    return node.substring(node.indexOf('@') + 1);
  }

  /** Checks the start time too, since a later process may have the same id. */
  private static boolean isRunning(OpenCall call) {
    try {
      long id = Long.parseLong(call.node().substring(0, Math.max(0, call.node().indexOf('@'))));
      return ProcessHandle.of(id)
          .filter(process -> process.isAlive() && startedBefore(process, call.receivedAt()))
          .isPresent();
    } catch (NumberFormatException _) {
      return true; // a name of another form: treat the node as alive
    }
  }

  private static boolean startedBefore(ProcessHandle process, Instant call) {
    return process
        .info()
        .startInstant()
        .map(start -> start.isBefore(call.plus(START_PRECISION)))
        .orElse(true);
  }
}
