package gatebook.command.keep;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.command.keep.PayloadCipher.Unsealed;
import gatebook.command.redact.Scrubber;
import gatebook.command.rules.RecordRules;
import gatebook.events.call.Bytes;
import gatebook.events.call.Digest;
import gatebook.events.call.KeptContent;
import gatebook.events.call.SealedContent;
import java.security.GeneralSecurityException;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Decides what the journal keeps of contents: of each its size and keyed digest, which tell whether
 * two were equal and, without the key, not what they were; its redacted form as far as the rules
 * and its size allow; and of messages the sealed original.
 *
 * <p>Immutable; {@link #under} gives one for other rules with the same keys.
 */
public final class PayloadRecorder {

  /** How long a digest key has to be. */
  public static final int KEY_BYTES = 32;

  /** How much is kept of what is not kept whole, in bytes of UTF-8. */
  public static final int BEGINNING_BYTES_MAX = 4 << 10;

  private static final String HMAC = "HmacSHA256";

  /** Finding an algorithm costs more than using it; each is ready again once it is done. */
  private final ThreadLocal<Mac> mac;

  private final String keyName;
  private final @Nullable PayloadCipher payloadCipher;
  private final Scrubber scrubber;
  private final RecordRules recordRules;

  /** Keeps no originals, and redacts what looks secret by itself. */
  public PayloadRecorder(byte[] key) {
    this(digestKey(key), KeyFingerprint.of(key), null, Scrubber.BUILT_IN, RecordRules.DEFAULT);
  }

  /** As the default rules say, with both keys. */
  public PayloadRecorder(byte[] key, PayloadCipher payloadCipher) {
    this(
        digestKey(key),
        KeyFingerprint.of(key),
        payloadCipher,
        Scrubber.BUILT_IN,
        RecordRules.DEFAULT);
  }

  private PayloadRecorder(
      ThreadLocal<Mac> mac,
      String keyName,
      @Nullable PayloadCipher payloadCipher,
      Scrubber scrubber,
      RecordRules recordRules) {
    this.mac = mac;
    this.keyName = keyName;
    this.payloadCipher = payloadCipher;
    this.scrubber = scrubber;
    this.recordRules = recordRules;
  }

  private static ThreadLocal<Mac> digestKey(byte[] key) {
    if (key.length != KEY_BYTES) {
      throw new IllegalArgumentException("a digest key has %d bytes".formatted(KEY_BYTES));
    }
    SecretKeySpec spec = new SecretKeySpec(key, HMAC);
    return ThreadLocal.withInitial(() -> mac(spec));
  }

  /** The same keys under these rules. */
  public PayloadRecorder under(Scrubber scrubber, RecordRules recordRules) {
    return new PayloadRecorder(mac, keyName, payloadCipher, scrubber, recordRules);
  }

  /** What is kept of arguments, which are JSON. */
  public KeptContent keep(String arguments) {
    return kept(arguments.getBytes(UTF_8), arguments, true);
  }

  /** What is kept of a result, which is JSON, or nothing at all where no answer was wanted. */
  public KeptContent keepResult(String result) {
    return kept(result.getBytes(UTF_8), result, recordRules.results() && !result.isEmpty());
  }

  /** The message as it came, sealed; absent when it is too large or the rules keep none. */
  public @Nullable SealedContent seal(UUID callId, String message) {
    return isOver(message) ? null : sealWhole(callId, message);
  }

  /** Whether messages are kept as they came. */
  public boolean keepsOriginals() {
    return payloadCipher != null && recordRules.originals();
  }

  /** A text of any size, sealed; absent when the rules keep none. */
  public @Nullable SealedContent sealWhole(UUID callId, String text) {
    return payloadCipher == null || !recordRules.originals()
        ? null
        : payloadCipher.seal(callId, text);
  }

  /** The message that was sealed, if that was done with this node's key. */
  public Unsealed unseal(UUID callId, SealedContent sealedContent) {
    return payloadCipher == null
        ? new Unsealed.OtherKey(sealedContent.key())
        : payloadCipher.unseal(callId, sealedContent);
  }

  private boolean isOver(String text) {
    int bytesMax = recordRules.wholeBytesMax();
    return text.length() > bytesMax
        || (text.length() > bytesMax / 3 && text.getBytes(UTF_8).length > bytesMax);
  }

  private KeptContent kept(byte[] bytes, String content, boolean readable) {
    Digest digest = new Digest(keyName, Bytes.of(hmac(bytes)));
    if (!readable) {
      return new KeptContent(bytes.length, digest, null, null);
    }
    return bytes.length <= recordRules.wholeBytesMax()
        ? new KeptContent(bytes.length, digest, scrubber.scrubJson(content), null)
        : new KeptContent(
            bytes.length, digest, null, scrubber.beginning(content, BEGINNING_BYTES_MAX));
  }

  /** What two contents are compared by. */
  public Digest digest(String content) {
    return new Digest(keyName, Bytes.of(hmac(content.getBytes(UTF_8))));
  }

  private byte[] hmac(byte[] content) {
    return mac.get().doFinal(content);
  }

  private static Mac mac(SecretKeySpec key) {
    try {
      Mac mac = Mac.getInstance(HMAC);
      mac.init(key);
      return mac;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + HMAC, e);
    }
  }
}
