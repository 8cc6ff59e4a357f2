package gatebook.api.timestamp;

import gatebook.api.timestamp.Der.NotDer;
import gatebook.api.timestamp.Der.Values;
import gatebook.api.upstream.http.ExchangeResult;
import gatebook.api.upstream.http.SingleMessages;
import gatebook.command.rules.GatewayLimits;
import gatebook.command.rules.Limit;
import gatebook.events.journal.tree.Sha256;
import java.math.BigInteger;
import java.net.URI;
import java.security.SecureRandom;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/** Asks an authority for timestamps (RFC 3161 over HTTP). */
public final class TimestampAuthority implements AutoCloseable {
  private static final int OK = 200;
  private static final int NONCE_BITS = 63;
  private static final byte[] TRUE = {(byte) 0xff};

  /** SHA-256, as the identifier of an algorithm without parameters. */
  private static final byte[] SHA_256 =
      Der.write(
          Der.SEQUENCE,
          Der.write(Der.OID, new byte[] {0x60, (byte) 0x86, 0x48, 1, 0x65, 3, 4, 2, 1}),
          Der.write(Der.NULL));

  private final SingleMessages singleMessages = new SingleMessages();
  private final SecureRandom random = new SecureRandom();

  /** What came of a request. */
  public sealed interface Outcome {
    /** The token of these bytes, whose signature is right. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Stamped(byte[] token) implements Outcome {}

    /** There is none; a word for a case file, and a sentence for operators. */
    record NotStamped(String word, String sentence) implements Outcome {}
  }

  /** Asks for a timestamp of these bytes; waits as long as the limits say, at most. */
  public Outcome stamp(URI url, byte[] bytes, GatewayLimits limits) {
    BigInteger nonce = new BigInteger(NONCE_BITS, random);
    ExchangeResult result = sent(url, request(Sha256.of(bytes), nonce), limits);
    if (!(result instanceof ExchangeResult.Answered(int status, _, byte[] body))) {
      return new Outcome.NotStamped("not-answered", result.failure().orElse(""));
    }
    return status == OK
        ? outcome(body, bytes, nonce)
        : new Outcome.NotStamped("not-answered", "it answered with the status " + status);
  }

  private ExchangeResult sent(URI url, byte[] request, GatewayLimits limits) {
    long millisMax = limits.get(Limit.TIMESTAMP_MILLIS_MAX);
    try {
      return singleMessages
          .send(
              new SingleMessages.Message(
                  url, false, "application/timestamp-query", Map.of(), request),
              new SingleMessages.Bounds(
                  millisMax,
                  limits.get(Limit.CONNECT_MILLIS_MAX),
                  limits.getInt(Limit.HEADER_BYTES_MAX),
                  limits.get(Limit.TIMESTAMP_BYTES_MAX)))
          .orTimeout(2 * millisMax, TimeUnit.MILLISECONDS) // when it is closed meanwhile
          .join();
    } catch (CompletionException _) {
      return new ExchangeResult.TimedOut(millisMax);
    }
  }

  /** A request for a token with the certificate of its signer. */
  static byte[] request(byte[] hash, BigInteger nonce) {
    return Der.write(
        Der.SEQUENCE,
        Der.write(Der.INTEGER, new byte[] {1}),
        Der.write(Der.SEQUENCE, SHA_256, Der.write(Der.OCTETS, hash)),
        Der.write(Der.INTEGER, nonce.toByteArray()),
        Der.write(Der.BOOLEAN, TRUE));
  }

  private static Outcome outcome(byte[] body, byte[] bytes, BigInteger nonce) {
    byte[] token;
    try {
      Values response = Der.of(body).in(Der.SEQUENCE);
      BigInteger status = response.take().in(Der.SEQUENCE).take().integer();
      if (status.signum() < 0 || status.compareTo(BigInteger.ONE) > 0) { // granted, with changes
        return new Outcome.NotStamped("rejected", "it rejected the request with " + status);
      }
      token = response.take().encoded();
    } catch (NotDer e) {
      return notValid("it answered with something else than a timestamp: " + e.getMessage());
    }
    return switch (TimestampToken.read(token)) {
      case TimestampToken.Reading.Refused(var sentence) -> notValid(sentence);
      case TimestampToken.Reading.Read(var read) when !read.isOf(bytes) ->
          notValid("it timestamped something else");
      case TimestampToken.Reading.Read(var read)
          when !read.nonce().filter(nonce::equals).isPresent() ->
          notValid("it answered another request");
      case TimestampToken.Reading.Read _ -> new Outcome.Stamped(token);
    };
  }

  private static Outcome notValid(String sentence) {
    return new Outcome.NotStamped("not-valid", sentence);
  }

  @Override
  public void close() {
    singleMessages.close();
  }
}
