package gatebook.api.stdio;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says by which signal this process is told to stop: hooks of the Java virtual machine learn only
 * that it is. What takes signals is in every JDK, but javac warns of each mention of it.
 */
final class StopSignals {

  private static final Logger LOG = LoggerFactory.getLogger(StopSignals.class);
  private static final List<String> NAMES = List.of("TERM", "INT", "HUP");

  private StopSignals() {}

  /** Takes these signals; what cannot be taken ends the process as usual. */
  static void heed(Consumer<String> told) {
    for (String name : NAMES) {
      try {
        heed(name, told);
      } catch (ReflectiveOperationException | IllegalArgumentException e) {
        LOG.atDebug().addKeyValue("signal", name).setCause(e).log("a signal is not heeded");
      }
    }
  }

  private static void heed(String name, Consumer<String> told) throws ReflectiveOperationException {
    Class<?> signal = Class.forName("sun.misc.Signal");
    Class<?> handler = Class.forName("sun.misc.SignalHandler");
    Object ours =
        Proxy.newProxyInstance(
            StopSignals.class.getClassLoader(),
            new Class<?>[] {handler},
            (_, _, _) -> {
              told.accept("SIG" + name);
              return null;
            });
    Object _ =
        signal
            .getMethod("handle", signal, handler)
            .invoke(null, signal.getConstructor(String.class).newInstance(name), ours);
  }
}
