package gatebook.api.http.tls;

import gatebook.command.rules.ClientTlsFiles;
import gatebook.events.call.Bytes;
import gatebook.events.journal.storage.OngoingFailure;
import gatebook.events.journal.tree.Sha256;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The TLS of new connections to one source, by the files that the rules name: what is in them when
 * it can be used, else what was in them before.
 */
public final class SourceTls {
  private static final Logger log = LoggerFactory.getLogger(SourceTls.class);

  private final String source;
  private final ClientTlsFiles files;
  private final ExpiryWarning warning;
  private final OngoingFailure unusable = new OngoingFailure();
  private List<Optional<Bytes>> seen = List.of();
  private volatile @Nullable ClientTls used;
  private volatile String refusal = "nothing was read";

  /** Reads the files. */
  public SourceTls(String source, ClientTlsFiles files) {
    this.source = source;
    this.files = files;
    this.warning = new ExpiryWarning("source " + source);
    reread();
  }

  /** The TLS of a connection that is opened now; fails when no files could be used yet. */
  public SslContext context() throws SSLException {
    ClientTls tls = used;
    if (tls == null) {
      throw new SSLException(refusal);
    }
    return tls.context();
  }

  /** When the certificate that the source is shown expires; empty when it is shown none. */
  public Optional<Instant> expiresAt() {
    return Optional.ofNullable(used).flatMap(ClientTls::expires);
  }

  /** Reads the files again, if they have changed. May block. */
  public synchronized void reread() {
    List<Optional<Bytes>> now = contents();
    if (!now.equals(seen)) {
      seen = now;
      use(ClientTls.read(files));
    }
    expiresAt().ifPresent(it -> warning.check(it, Instant.now()));
  }

  private void use(ClientTls.Reading reading) {
    switch (reading) {
      case ClientTls.Reading.Read(var tls) -> {
        used = tls;
        unusable.end();
        log.atInfo().addKeyValue("source", source).log("the TLS files of a source are in use");
      }
      case ClientTls.Reading.Refused(var sentence) -> {
        refusal = sentence;
        if (unusable.isNew(sentence)) {
          log.atError()
              .addKeyValue("source", source)
              .addKeyValue("reason", sentence)
              .log(
                  used == null
                      ? "the TLS files of a source cannot be used: it gets no connection"
                      : "the TLS files of a source are not used, but what was in them before");
        }
      }
    }
  }

  /** A digest of each file; empty for one that cannot be read. */
  private List<Optional<Bytes>> contents() {
    return Stream.of(files.authorities(), files.certificate(), files.key())
        .flatMap(Optional::stream)
        .map(SourceTls::content)
        .toList();
  }

  private static Optional<Bytes> content(Path file) {
    try {
      return Optional.of(Bytes.of(Sha256.of(Files.readAllBytes(file))));
    } catch (IOException _) {
      return Optional.empty();
    }
  }
}
