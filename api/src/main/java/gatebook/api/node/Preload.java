package gatebook.api.node;

import gatebook.api.http.tls.ClientTls;
import gatebook.command.rules.file.RulesFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Preloads the classes and libraries that the first call needs, while the journal opens: performs
 * the slow operations once and drops their results, so that they are fast the second time.
 */
final class Preload {

  private static final Logger LOG = LoggerFactory.getLogger(Preload.class);

  private Preload() {}

  /** Reads the rules with their policies, and creates a TLS context, on a thread of its own. */
  static void start(RulesFile rules) {
    Thread.ofPlatform().daemon().name("preload").start(() -> load(rules));
  }

  private static void load(RulesFile rules) {
    try {
      var _ = rules.read();
      var _ = ClientTls.DEFAULT;
    } catch (RuntimeException e) {
      LOG.atDebug().setCause(e).log("preloading failed: the start goes on without it");
    }
  }
}
