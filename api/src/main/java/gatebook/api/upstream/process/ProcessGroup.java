package gatebook.api.upstream.process;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A process with all that it started. It leads a session, and so a group, of its own where {@code
 * setsid} is installed; signals reach whoever is in it, also after the leader ended. Elsewhere they
 * reach the descendants that can be found at that moment.
 */
final class ProcessGroup {

  /** Reaches nobody; only says whether it could have. */
  private static final int NOTHING = 0;

  /** A request to end. */
  static final int TERM = 15;

  /** The end. */
  static final int KILL = 9;

  private static final Optional<Path> SETSID =
      Stream.of("/usr/bin/setsid", "/bin/setsid")
          .map(Path::of)
          .filter(Files::isExecutable)
          .findFirst();

  private final ProcessHandle leader;

  /** Leads whoever was started with a command of {@link #leading}. */
  ProcessGroup(ProcessHandle leader) {
    this.leader = leader;
  }

  /** The command that starts the same program as the leader of a group. */
  static List<String> leading(List<String> command) {
    List<String> led = new ArrayList<>();
    SETSID.ifPresent(setsid -> led.add(setsid.toString()));
    led.addAll(command);
    return led;
  }

  /** Does nothing when nobody is left. */
  void signal(int signal) {
    if (SETSID.isPresent()) {
      boolean _ = Posix.kill(-Math.toIntExact(leader.pid()), signal);
    } else {
      Stream.concat(leader.descendants().toList().stream(), Stream.of(leader))
          .forEach(process -> end(process, signal));
    }
  }

  /** Whether anybody is left. */
  boolean isThere() {
    return SETSID.isPresent()
        ? Posix.kill(-Math.toIntExact(leader.pid()), NOTHING)
        : leader.isAlive();
  }

  private static void end(ProcessHandle process, int signal) {
    boolean _ = signal == KILL ? process.destroyForcibly() : process.destroy();
  }

  /** What Java has no words for. */
  private static final class Posix {

    @SuppressWarnings("restricted") // kill(2) takes two numbers and touches no memory of ours
    private static final MethodHandle KILL =
        Linker.nativeLinker()
            .downcallHandle(
                Linker.nativeLinker().defaultLookup().findOrThrow("kill"),
                FunctionDescriptor.of(
                    ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));

    private Posix() {}

    /** Whether anybody was there. */
    static boolean kill(int process, int signal) {
      try {
        return (int) KILL.invokeExact(process, signal) == 0;
      } catch (Throwable e) {
        throw new IllegalStateException("kill(2) cannot be called", e);
      }
    }
  }
}
