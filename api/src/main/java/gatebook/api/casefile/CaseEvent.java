package gatebook.api.casefile;

import com.fasterxml.jackson.databind.JsonNode;
import gatebook.events.journal.storage.Entry;
import gatebook.events.journal.tree.InclusionPath;
import gatebook.events.keys.EventKey;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An event of a case file.
 *
 * @param envelope what the leaf is the hash of
 * @param showsPayload whether the reader may have the payload
 * @param key opens the content; absent when it is not given, or there is none
 * @param originalKey the same for its originals
 * @param data what the page shows of it; empty without the payload
 */
@SuppressWarnings("ArrayRecordComponent") // written at once and never compared
public record CaseEvent(
    Entry entry,
    byte[] envelope,
    InclusionPath path,
    boolean showsPayload,
    @Nullable EventKey key,
    @Nullable EventKey originalKey,
    Optional<JsonNode> data) {

  /** The folder of an event in the archive. */
  static String folder(long position) {
    return "events/%019d/".formatted(position);
  }
}
