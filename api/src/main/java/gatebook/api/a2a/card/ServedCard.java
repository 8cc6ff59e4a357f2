package gatebook.api.a2a.card;

import gatebook.events.journal.tree.Sha256;
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
    String tag = HexFormat.of().formatHex(Sha256.of(json), 0, ETAG_BYTES);
    return new ServedCard(json, '"' + tag + '"', isComplete);
  }
}
