package gatebook.command.policy;

import com.cedarpolicy.AuthorizationEngine;
import com.cedarpolicy.BasicAuthorizationEngine;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** The Cedar engine of this process, loaded on first use. */
final class CedarEngine {

  /** The engine and its version, as the journal stores them. */
  static final String VERSION = version();

  /** The parser recurses for every bracket and operator, and a stack overflow ends the process. */
  private static final long STACK_BYTES = 256L << 20;

  private CedarEngine() {}

  /** Loads the engine on the first call, so that rules without policies need no native library. */
  static AuthorizationEngine instance() {
    return Holder.ENGINE;
  }

  /** Runs the work on a stack deep enough for everything that {@link PolicySplitter} accepts. */
  static <T> T onDeepStack(Callable<T> work) {
    FutureTask<T> task = new FutureTask<>(work);
    Thread thread = new Thread(null, task, "policies", STACK_BYTES);
    thread.setDaemon(true);
    thread.start();
    return await(task);
  }

  private static <T> T await(FutureTask<T> task) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return task.get();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("the policies could not be read", e.getCause());
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static String version() {
    try (InputStream in = CedarEngine.class.getResourceAsStream("engine.properties")) {
      Properties properties = new Properties();
      properties.load(in);
      return "cedar-java " + properties.getProperty("version");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final class Holder {
    static final AuthorizationEngine ENGINE = new BasicAuthorizationEngine();
  }
}
