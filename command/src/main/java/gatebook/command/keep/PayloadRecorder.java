package gatebook.command.keep;

import static java.nio.charset.StandardCharsets.UTF_8;

import gatebook.command.redact.Scrubber;
import gatebook.command.rules.RecordRules;
import gatebook.events.call.Digest;
import gatebook.events.call.KeptContent;
import gatebook.events.keys.ContentOwner;
import org.jspecify.annotations.Nullable;

/**
 * Decides what the journal records of the payloads of one owner: the size and a keyed digest, which
 * show whether two payloads were equal and, without the key, not what they contained; the redacted
 * form as far as the rules and the size allow; and the originals.
 */
public final class PayloadRecorder {

  /** How much is kept of a payload that is not kept whole, in bytes of UTF-8. */
  public static final int BEGINNING_BYTES_MAX = 4 << 10;

  private final ContentDigests contentDigests;
  private final ContentOwner owner;
  private final Scrubber scrubber;
  private final RecordRules recordRules;

  public PayloadRecorder(
      ContentDigests contentDigests,
      ContentOwner owner,
      Scrubber scrubber,
      RecordRules recordRules) {
    this.contentDigests = contentDigests;
    this.owner = owner;
    this.scrubber = scrubber;
    this.recordRules = recordRules;
  }

  /** What is kept of arguments, which are JSON. */
  public KeptContent keep(String arguments) {
    return kept(arguments.getBytes(UTF_8), arguments, true);
  }

  /** What is kept of a result, which is JSON, or empty where no response was expected. */
  public KeptContent keepResult(String result) {
    return kept(result.getBytes(UTF_8), result, recordRules.results() && !result.isEmpty());
  }

  /** The original message; absent when it is too large or the rules keep no originals. */
  public @Nullable String original(String message) {
    return isTooLarge(message) ? null : originalOfAnySize(message);
  }

  /** Whether original messages are kept. */
  public boolean keepsOriginals() {
    return recordRules.originals();
  }

  /** A text of any size; absent when the rules keep no originals. */
  public @Nullable String originalOfAnySize(String text) {
    return keepsOriginals() ? text : null;
  }

  private boolean isTooLarge(String text) {
    int bytesMax = recordRules.wholeBytesMax();
    return text.length() > bytesMax
        || (text.length() > bytesMax / 3 && text.getBytes(UTF_8).length > bytesMax);
  }

  private KeptContent kept(byte[] bytes, String content, boolean readable) {
    Digest digest = contentDigests.digest(owner, bytes);
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
    return contentDigests.digest(owner, content.getBytes(UTF_8));
  }
}
