package gatebook.api.timestamp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.timestamp.TimestampAuthority.Outcome;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import gatebook.events.journal.tree.Sha256;
import java.io.IOException;
import java.math.BigInteger;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
final class TimestampAuthorityTest {
  private static final byte[] BYTES = "a checkpoint\n".getBytes(UTF_8);
  private static final BigInteger NONCE = BigInteger.valueOf(7);

  @TempDir private Path folder;
  @TempDir private Path other;
  private OpensslAuthority openssl;
  @AutoClose private final TimestampAuthority client = new TimestampAuthority();

  @BeforeEach
  void start() throws IOException {
    openssl = new OpensslAuthority(folder);
  }

  @AfterEach
  void stop() {
    openssl.close();
  }

  private Outcome stamp(Limit limit, long value) {
    return client.stamp(openssl.url(), BYTES, GatewayLimits.DEFAULT.with(limit, value));
  }

  private Outcome stamp() {
    return client.stamp(openssl.url(), BYTES, GatewayLimits.DEFAULT);
  }

  private static TimestampToken token(Outcome outcome) {
    return switch (outcome) {
      case Outcome.NotStamped(var word, var sentence) ->
          throw new AssertionError(word + ": " + sentence);
      case Outcome.Stamped(var token) ->
          ((TimestampToken.Reading.Read) TimestampToken.read(token)).token();
    };
  }

  private static TrustedAuthorities authorities(Path root) throws IOException {
    return TrustedAuthorities.of(Files.readAllBytes(root)).orElseThrow();
  }

  @ParameterizedTest
  @CsvSource({"rsa:2048, sha1", "rsa:3072, sha384", "ec -pkeyopt ec_paramgen_curve:P-384, sha256"})
  void tokensOfOpensslAreAccepted(String key, String named) throws IOException {
    try (OpensslAuthority authority = new OpensslAuthority(other, key, named)) {
      TimestampToken token = token(client.stamp(authority.url(), BYTES, GatewayLimits.DEFAULT));

      assertThat(token.isOf(BYTES)).isTrue();
      assertThat(token.authority()).isEqualTo("CN=Time,O=Example");
      assertThat(Duration.between(token.at(), Instant.now()).abs()).isLessThan(Duration.ofHours(1));
      assertThat(authorities(authority.root()).trust(token)).isTrue();
      assertThat(authorities(openssl.root()).trust(token)).isFalse();
    }
  }

  @Test
  void tokenOfAnotherRequestIsRefused() {
    openssl.answer(_ -> openssl.reply(TimestampAuthority.request(Sha256.of(BYTES), NONCE)));

    assertThat(stamp())
        .isEqualTo(new Outcome.NotStamped("not-valid", "it answered another request"));
  }

  @Test
  void tokenOfOtherBytesIsRefused() {
    openssl.answer(_ -> openssl.reply(TimestampAuthority.request(new byte[32], NONCE)));

    assertThat(stamp())
        .isEqualTo(new Outcome.NotStamped("not-valid", "it timestamped something else"));
  }

  @Test
  void rejectionIsTold() {
    openssl.answer(query -> {
      byte[] unknownDigest = query.clone();
      unknownDigest[17] ^= 2; // within the identifier of SHA-256
      return openssl.reply(unknownDigest);
    });

    assertThat(stamp())
        .isEqualTo(new Outcome.NotStamped("rejected", "it rejected the request with 2"));
  }

  @Test
  void answersThatAreNoTimestampsAreRefused() {
    openssl.answer(_ -> "<html><body>Welcome</body></html>".getBytes(UTF_8));
    assertThat(stamp()).isInstanceOf(Outcome.NotStamped.class).asString().contains("not-valid");
    openssl.answer(_ -> new byte[0]);
    assertThat(stamp()).asString().contains("not-valid");
    openssl.answer(_ -> new byte[] {0x30, (byte) 0x84, 0x7f, -1, -1, -1});
    assertThat(stamp()).asString().contains("not-valid");
  }

  @Test
  void answerBeyondTheLimitIsRefused() throws IOException {
    byte[] reply = openssl.reply(TimestampAuthority.request(Sha256.of(BYTES), NONCE));
    assertThat(reply.length).isBetween(1_025, 4_096);
    assertThat(stamp(Limit.TIMESTAMP_BYTES_MAX, 4_096)).isInstanceOf(Outcome.Stamped.class);
    assertThat(stamp(Limit.TIMESTAMP_BYTES_MAX, 1_024))
        .isEqualTo(new Outcome.NotStamped("not-answered", "the answer is too large"));

    openssl.answer(_ -> new byte[1 << 20]);
    assertThat(stamp())
        .isEqualTo(new Outcome.NotStamped("not-answered", "the answer is too large"));
  }

  @Test
  void slowAuthorityIsNotAwaited() throws IOException {
    CountDownLatch released = new CountDownLatch(1);
    openssl.answer(query -> {
      try {
        released.await();
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      return openssl.reply(query);
    });

    assertThat(stamp(Limit.TIMESTAMP_MILLIS_MAX, 50))
        .isInstanceOfSatisfying(
            Outcome.NotStamped.class,
            outcome -> assertThat(outcome.word()).isEqualTo("not-answered"));
    released.countDown();
    assertThat(stamp(Limit.TIMESTAMP_MILLIS_MAX, 60_000)).isInstanceOf(Outcome.Stamped.class);
  }

  @Test
  void authorityThatIsNotThereIsTold() {
    Outcome outcome = client.stamp(URI.create("http://127.0.0.1:1/"), BYTES, GatewayLimits.DEFAULT);

    assertThat(((Outcome.NotStamped) outcome).word()).isEqualTo("not-answered");
  }

  /** Also no edit makes a reader fail: each result is a value. */
  @Test
  void everyEditOfWhatIsSignedIsRefused() {
    byte[] token = ((Outcome.Stamped) stamp()).token();
    TimestampToken read = token(new Outcome.Stamped(token));
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int i = 0; i < 2_000; i++) {
      byte[] edited = token.clone();
      edited[random.nextInt(edited.length)] ^= (byte) (1 << random.nextInt(8));

      if (TimestampToken.read(edited) instanceof TimestampToken.Reading.Read(var accepted)) {
        assertThat(accepted.at()).as("seed %d, edit %d", seed, i).isEqualTo(read.at());
        assertThat(accepted.imprint()).as("seed %d, edit %d", seed, i).isEqualTo(read.imprint());
        assertThat(accepted.signer()).as("seed %d, edit %d", seed, i).isEqualTo(read.signer());
      }
    }
  }
}
