package gatebook.api.node;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;

/**
 * Decides whether the node that began an open call or execution is dead, so that another process
 * has to close or continue it. A node's name is made of its process id and the name of its machine.
 */
final class NodeLiveness {

  private static final String OWN = ManagementFactory.getRuntimeMXBean().getName();

  private static final Instant OWN_START =
      Instant.ofEpochMilli(ManagementFactory.getRuntimeMXBean().getStartTime());

  /** The precision with which the operating system reports a process's start. */
  private static final Duration START_PRECISION = Duration.ofSeconds(2);

  /** Checks whether what is open is orphaned: whether the process that began it is dead. */
  @FunctionalInterface
  interface OrphanCheck {
    boolean isOrphaned(String node, Instant begun);
  }

  private NodeLiveness() {}

  /**
   * What is orphaned in an embedded journal. Since the journal is on this machine, only processes
   * of this machine write to it.
   */
  static OrphanCheck orphanedInEmbedded() {
    return (node, begun) ->
        isOwn(node) ? isOfEarlierProcess(begun) : !isOnThisMachine(node) || !isRunning(node, begun);
  }

  /** What is orphaned in a shared journal. Nodes of other machines count as alive. */
  static OrphanCheck orphanedInShared() {
    return (node, begun) ->
        isOwn(node) ? isOfEarlierProcess(begun) : isOnThisMachine(node) && !isRunning(node, begun);
  }

  private static boolean isOwn(String node) {
    return node.equals(OWN);
  }

  /** Whether an earlier process with the same id began it. */
  private static boolean isOfEarlierProcess(Instant begun) {
    return begun.isBefore(OWN_START);
  }

  private static boolean isOnThisMachine(String node) {
    return machine(node).equals(machine(OWN));
  }

  private static String machine(String node) {
    return node.substring(node.indexOf('@') + 1);
  }

  /** Checks the start time too, since a later process may have the same id. */
  private static boolean isRunning(String node, Instant begun) {
    try {
      long id = Long.parseLong(node.substring(0, Math.max(0, node.indexOf('@'))));
      return ProcessHandle.of(id)
          .filter(process -> process.isAlive() && startedBefore(process, begun))
          .isPresent();
    } catch (NumberFormatException _) {
      return true; // a name of another form: treat the node as alive
    }
  }

  private static boolean startedBefore(ProcessHandle process, Instant begun) {
    return process
        .info()
        .startInstant()
        .map(start -> start.isBefore(begun.plus(START_PRECISION)))
        .orElse(true);
  }
}
