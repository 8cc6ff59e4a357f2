package gatebook.api.node;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.ExitCode;

/**
 * Reports the signal that stops this process, which a JVM shutdown hook does not know. Uses {@code
 * sun.misc.Signal} by reflection: every JDK has it, but javac warns of each mention.
 */
public final class StopSignals {

  private static final List<String> NAMES = List.of("TERM", "INT", "HUP");

  private StopSignals() {}

  /** Until a command has started: ends the process, which has nothing to close, with a line. */
  public static void endBeforeStart() {
    handle(name -> {
      System.err.println("told to stop by %s before the start".formatted(name));
      Runtime.getRuntime().halt(ExitCode.SOFTWARE);
    });
  }

  /** Once a command has a shutdown hook: the hook ends the process. */
  public static void exit() {
    handle(_ -> System.exit(ExitCode.SOFTWARE));
  }

  /** Handles these signals; one that cannot be handled ends the process as usual. */
  public static void handle(Consumer<String> onSignal) {
    for (String name : NAMES) {
      try {
        handle(name, onSignal);
      } catch (ReflectiveOperationException | IllegalArgumentException e) {
        Logger log = LoggerFactory.getLogger(StopSignals.class); // not sooner: it takes long
        log.atDebug().addKeyValue("signal", name).setCause(e).log("cannot handle a signal");
      }
    }
  }

  private static void handle(String name, Consumer<String> onSignal)
      throws ReflectiveOperationException {
    Class<?> signal = Class.forName("sun.misc.Signal");
    Class<?> handler = Class.forName("sun.misc.SignalHandler");
    Object proxy =
        Proxy.newProxyInstance(
            StopSignals.class.getClassLoader(),
            new Class<?>[] {handler},
            (_, _, _) -> {
              onSignal.accept("SIG" + name);
              return null;
            });
    Object _ =
        signal
            .getMethod("handle", signal, handler)
            .invoke(null, signal.getConstructor(String.class).newInstance(name), proxy);
  }
}
