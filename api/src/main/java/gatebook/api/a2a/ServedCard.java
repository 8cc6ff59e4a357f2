package gatebook.api.a2a;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A served card: what is sent of an agent.
 *
 * @param etag the entity tag of the content, with its quotes
 * @param isComplete whether it has everything that it would have if every source answered
 */
@SuppressWarnings("ArrayRecordComponent") // written once and never compared
public record ServedCard(byte[] json, String etag, boolean isComplete) {

  private static final int ETAG_BYTES = 16;

  static ServedCard of(byte[] json, boolean isComplete) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(json);
      return new ServedCard(
          json, '"' + HexFormat.of().formatHex(digest, 0, ETAG_BYTES) + '"', isComplete);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
