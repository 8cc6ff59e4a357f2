package gatebook.api.signon;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.JWKSetCacheRefreshEvaluator;
import com.nimbusds.jose.jwk.source.JWKSetSource;
import com.nimbusds.jose.jwk.source.JWKSetUnavailableException;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.jwk.source.RateLimitReachedException;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import gatebook.events.journal.storage.OngoingFailure;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.Key;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys of an issuer: read when they are first needed, read again before they are too old and
 * when a token has a key that is not among them, though not too often, and kept while they cannot
 * be read.
 */
final class IssuerKeys implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(IssuerKeys.class);

  private final KeySettings settings;
  private final IssuerDocuments documents;
  private final InstantSource clock;
  private final OngoingFailure failure = new OngoingFailure();
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("sign-on-keys").daemon().factory());
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final JWKSource<SecurityContext> source;
  private final Instant openedAt;
  private volatile @Nullable Instant readAt;

  IssuerKeys(KeySettings settings, IssuerDocuments documents, InstantSource clock) {
    this.settings = settings;
    this.documents = documents;
    this.clock = clock;
    this.openedAt = clock.instant();
    this.source = source(new Reader());
  }

  /** The time since the keys were read, or since they were first needed. */
  Duration age() {
    return Duration.between(Objects.requireNonNullElse(readAt, openedAt), clock.instant());
  }

  private JWKSource<SecurityContext> source(JWKSetSource<SecurityContext> reader) {
    long kept = settings.keptMillis();
    JWKSourceBuilder<SecurityContext> builder =
        JWKSourceBuilder.create(reader)
            .cache(kept, Math.min(kept / 2, settings.readMillisMax()))
            .refreshAheadCache(kept / 4, null, threads, true, timer, true)
            .rateLimited(Math.min(settings.pauseMillis(), kept - 1));
    if (settings.outageMillis() > 0) {
      var _ = builder.outageTolerant(settings.outageMillis());
    }
    return builder.build();
  }

  /**
   * The keys that may have made the signature of a token with this header; none when the issuer has
   * no such key. May block.
   *
   * @throws KeySourceException when the keys are not known
   */
  List<? extends Key> of(JWSHeader header) throws KeySourceException {
    try {
      return new JWSVerificationKeySelector<>(Set.<JWSAlgorithm>of(header.getAlgorithm()), source)
          .selectJWSKeys(header, null);
    } catch (RateLimitReachedException e) {
      if (!areKnown()) {
        throw e;
      }
      return List.of(); // they were read a moment ago, and it was not among them
    } catch (RejectedExecutionException e) {
      throw new JWKSetUnavailableException("other rules came into force", e);
    }
  }

  private boolean areKnown() {
    Instant read = readAt;
    return read != null
        && clock
            .instant()
            .isBefore(read.plusMillis(settings.keptMillis() + settings.outageMillis()));
  }

  /** Reads the keys if they are not known, and from then on again in time. May block. */
  void prepare() {
    try {
      var _ = source.get(new JWKSelector(new JWKMatcher.Builder().build()), null);
    } catch (KeySourceException _) {
      // it was logged, and the next token has them read
    }
  }

  private final class Reader implements JWKSetSource<SecurityContext> {

    @Override
    public JWKSet getJWKSet(
        JWKSetCacheRefreshEvaluator evaluator, long now, @Nullable SecurityContext context)
        throws JWKSetUnavailableException {
      try {
        JWKSet keys = documents.keys(settings);
        readAt = clock.instant();
        failure.end();
        return keys;
      } catch (JWKSetUnavailableException e) {
        if (failure.isNew(String.valueOf(e.getMessage()))) {
          LOG.atWarn()
              .addKeyValue("issuer", settings.issuer())
              .addKeyValue("reason", e.getMessage())
              .log("the keys of an issuer of tokens cannot be read");
        }
        throw e;
      } catch (RuntimeException e) {
        LOG.atError()
            .addKeyValue("issuer", settings.issuer())
            .setCause(e)
            .log("unforeseen failure while reading the keys of an issuer of tokens");
        throw new JWKSetUnavailableException("the keys could not be read", e);
      }
    }

    @Override
    public void close() {
      // the documents are closed by whoever opened them
    }
  }

  @Override
  public void close() {
    try {
      if (source instanceof Closeable closeable) {
        closeable.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    timer.shutdownNow();
    threads.shutdownNow();
  }
}
