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

/** The Cedar engine of this process. */
final class CedarEngine {

  /** Which one decides, as the journal keeps it. */
  static final String VERSION = version();

  /** Reading recurses for every bracket and operator, and an overflow ends the process. */
  private static final long READING_STACK_BYTES = 256L << 20;

  private CedarEngine() {}

  /** Loaded with the first question, so that whoever has no policies needs no native library. */
  static AuthorizationEngine loaded() {
    return Loaded.ENGINE;
  }

  /** Does this on a stack that is deep enough for whatever {@link PolicySplitter} lets through. */
  static <T> T onDeepStack(Callable<T> reading) {
    FutureTask<T> task = new FutureTask<>(reading);
    Thread thread = new Thread(null, task, "policies", READING_STACK_BYTES);
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

  private static final class Loaded {
    static final AuthorizationEngine ENGINE = new BasicAuthorizationEngine();
  }
}
