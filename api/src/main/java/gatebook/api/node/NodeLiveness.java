package gatebook.api.node;

import gatebook.query.calls.OpenCall;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Predicate;

/**
 * Whether the process that has an open call is no more, so that somebody else has to close it.
 * Names of nodes are made of the process's id and its machine's.
 */
final class NodeLiveness {

  private static final String OWN = ManagementFactory.getRuntimeMXBean().getName();

  private static final Instant OWN_START =
      Instant.ofEpochMilli(ManagementFactory.getRuntimeMXBean().getStartTime());

  /** As exactly as the operating system tells when a process was started. */
  private static final Duration START_SPREAD = Duration.ofSeconds(2);

  private NodeLiveness() {}

  /** Only processes of this machine have written to an embedded journal since it is here. */
  static Predicate<OpenCall> ofEmbedded() {
    return call -> isOwn(call) ? isOfFormer(call) : !isHere(call.node()) || !runs(call);
  }

  /** Whether nodes elsewhere run, nobody here can tell. */
  static Predicate<OpenCall> ofShared() {
    return call -> isOwn(call) ? isOfFormer(call) : isHere(call.node()) && !runs(call);
  }

  private static boolean isOwn(OpenCall call) {
    return call.node().equals(OWN);
  }

  /** Of a process that had the same id before this one. */
  private static boolean isOfFormer(OpenCall call) {
    return call.receivedAt().isBefore(OWN_START);
  }

  private static boolean isHere(String node) {
    return machine(node).equals(machine(OWN));
  }

  private static String machine(String node) {
    return node.substring(node.indexOf('@') + 1);
  }

  /** Another process may have been given the id since. */
  private static boolean runs(OpenCall call) {
    try {
      long id = Long.parseLong(call.node().substring(0, Math.max(0, call.node().indexOf('@'))));
      return ProcessHandle.of(id)
          .filter(process -> process.isAlive() && isAsOldAs(process, call.receivedAt()))
          .isPresent();
    } catch (NumberFormatException _) {
      return true; // not a name of this form: let it be
    }
  }

  private static boolean isAsOldAs(ProcessHandle process, Instant call) {
    return process
        .info()
        .startInstant()
        .map(start -> start.isBefore(call.plus(START_SPREAD)))
        .orElse(true);
  }
}
