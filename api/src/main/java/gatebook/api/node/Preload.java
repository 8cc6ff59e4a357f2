package gatebook.api.node;

import gatebook.command.rules.file.RulesFile;
import io.netty.handler.ssl.SslContextBuilder;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does beside the opening of the journal what is done with its first call, once and for nothing:
 * the second time it is quick, because its classes and libraries are there.
 */
final class Preload {

  private static final Logger LOG = LoggerFactory.getLogger(Preload.class);

  private Preload() {}

  /** Reads the rules, with their policies, and what connections to sources are made safe with. */
  static void begin(RulesFile rules) {
    Thread.ofPlatform().daemon().name("warming").start(() -> warm(rules));
  }

  private static void warm(RulesFile rules) {
    try {
      var _ = rules.read();
      var _ = SslContextBuilder.forClient().build();
    } catch (SSLException | RuntimeException e) {
      LOG.atDebug().setCause(e).log("what is done in vain is done again");
    }
  }
}
