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
 * Decides what the journal records of a payload: its size and keyed digest, which show whether two
 * payloads were equal and, without the key, not what they contained; its redacted form as far as
 * the rules and its size allow; and of messages the sealed original.
 *
 * <p>Immutable; {@link #withRules} returns one for other rules with the same keys.
 */
public final class PayloadRecorder {

  /** The length of a digest key. */
  public static final int KEY_BYTES = 32;

  /** How much is kept of a payload that is not kept whole, in bytes of UTF-8. */
  public static final int BEGINNING_BYTES_MAX = 4 << 10;

  private static final String HMAC = "HmacSHA256";

  /**
   * Looking up an algorithm costs more than using it; a {@code Mac} is ready again after each
   * digest.
   */
  private final ThreadLocal<Mac> mac;

  private final String keyFingerprint;
  private final @Nullable PayloadCipher payloadCipher;
  private final Scrubber scrubber;
  private final RecordRules recordRules;

  /** Keeps no originals, and redacts with the built-in detectors only. */
  public PayloadRecorder(byte[] key) {
    this(digestKey(key), KeyFingerprint.of(key), null, Scrubber.BUILT_IN, RecordRules.DEFAULT);
  }

  /** Has both keys and the default rules. */
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
      String keyFingerprint,
      @Nullable PayloadCipher payloadCipher,
      Scrubber scrubber,
      RecordRules recordRules) {
    this.mac = mac;
    this.keyFingerprint = keyFingerprint;
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
  public PayloadRecorder withRules(Scrubber scrubber, RecordRules recordRules) {
    return new PayloadRecorder(mac, keyFingerprint, payloadCipher, scrubber, recordRules);
  }

  /** What is kept of arguments, which are JSON. */
  public KeptContent keep(String arguments) {
    return kept(arguments.getBytes(UTF_8), arguments, true);
  }

  /** What is kept of a result, which is JSON, or empty where no response was expected. */
  public KeptContent keepResult(String result) {
    return kept(result.getBytes(UTF_8), result, recordRules.results() && !result.isEmpty());
  }

  /** The original message, sealed; absent when it is too large or the rules keep no originals. */
  public @Nullable SealedContent seal(UUID callId, String message) {
    return isTooLarge(message) ? null : sealAnySize(callId, message);
  }

  /** Whether original messages are kept. */
  public boolean keepsOriginals() {
    return payloadCipher != null && recordRules.originals();
  }

  /** A text of any size, sealed; absent when the rules keep no originals. */
  public @Nullable SealedContent sealAnySize(UUID callId, String text) {
    return payloadCipher == null || !recordRules.originals()
        ? null
        : payloadCipher.seal(callId, text);
  }

  /**
   * A text that is needed later and not only recorded, sealed whether or not the rules keep
   * originals.
   */
  public SealedContent sealAlways(UUID id, String text) {
    if (payloadCipher == null) {
      throw new IllegalStateException("there is no key to seal with");
    }
    return payloadCipher.seal(id, text);
  }

  /** The message that was sealed, if this node's key sealed it. */
  public Unsealed unseal(UUID callId, SealedContent sealedContent) {
    return payloadCipher == null
        ? new Unsealed.OtherKey(sealedContent.key())
        : payloadCipher.unseal(callId, sealedContent);
  }

  private boolean isTooLarge(String text) {
    int bytesMax = recordRules.wholeBytesMax();
    return text.length() > bytesMax
        || (text.length() > bytesMax / 3 && text.getBytes(UTF_8).length > bytesMax);
  }

  private KeptContent kept(byte[] bytes, String content, boolean readable) {
    Digest digest = new Digest(keyFingerprint, Bytes.of(hmac(bytes)));
    if (!readable) {
      return new KeptContent(bytes.length, digest, null, null);
    }
    return bytes.length <= recordRules.wholeBytesMax()
        ? new KeptContent(bytes.length, digest, scrubber.scrubJson(content), null)
        : new KeptContent(
            bytes.length, digest, null, scrubber.scrubPrefix(content, BEGINNING_BYTES_MAX));
  }

  /** The digest by which two contents are compared. */
  public Digest digest(String content) {
    return new Digest(keyFingerprint, Bytes.of(hmac(content.getBytes(UTF_8))));
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
