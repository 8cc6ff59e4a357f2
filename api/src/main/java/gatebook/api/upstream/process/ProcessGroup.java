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
 * A process group: a process with all that it started. Where {@code setsid} is installed, the
 * process leads a session and thus a group, and signals reach all its members, also after the
 * leader ended. Elsewhere signals reach the descendants found at that moment.
 */
final class ProcessGroup {

  /** Signals no process, and only reports whether the group exists. */
  private static final int PROBE = 0;

  /** SIGTERM. */
  static final int TERM = 15;

  /** SIGKILL. */
  static final int KILL = 9;

  private static final Optional<Path> SETSID =
      Stream.of("/usr/bin/setsid", "/bin/setsid")
          .map(Path::of)
          .filter(Files::isExecutable)
          .findFirst();

  private final ProcessHandle leader;

  /** {@code leader} was started with a command of {@link #commandOf}. */
  ProcessGroup(ProcessHandle leader) {
    this.leader = leader;
  }

  /** The command that starts the same program as a group leader. */
  static List<String> commandOf(List<String> command) {
    List<String> wrapped = new ArrayList<>();
    SETSID.ifPresent(setsid -> wrapped.add(setsid.toString()));
    wrapped.addAll(command);
    return wrapped;
  }

  /** Does nothing when no process is left. */
  void signal(int signal) {
    if (SETSID.isPresent()) {
      boolean _ = Posix.kill(-Math.toIntExact(leader.pid()), signal);
    } else {
      Stream.concat(leader.descendants().toList().stream(), Stream.of(leader))
          .forEach(process -> end(process, signal));
    }
  }

  /** Whether a process of the group is left. */
  boolean isAlive() {
    return SETSID.isPresent()
        ? Posix.kill(-Math.toIntExact(leader.pid()), PROBE)
        : leader.isAlive();
  }

  private static void end(ProcessHandle process, int signal) {
    boolean _ = signal == KILL ? process.destroyForcibly() : process.destroy();
  }

  /** The system call that Java does not provide. */
  private static final class Posix {

    @SuppressWarnings("restricted") // kill(2) takes two integers and no memory address
    private static final MethodHandle KILL =
        Linker.nativeLinker()
            .downcallHandle(
                Linker.nativeLinker().defaultLookup().findOrThrow("kill"),
                FunctionDescriptor.of(
                    ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));

    private Posix() {}

    /** Whether the process or group existed. */
    static boolean kill(int process, int signal) {
      try {
        return (int) KILL.invokeExact(process, signal) == 0;
      } catch (Throwable e) {
        throw new IllegalStateException("kill(2) cannot be called", e);
      }
    }
  }
}
