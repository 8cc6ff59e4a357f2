package gatebook.events.journal.checkpoint;

import java.util.Collection;

/**
 * A checkpoint of another log, which may have extension lines.
 *
 * @param text what the log signed
 * @param signatures the signature lines of the log's known keys; each ends with a line feed
 */
public record LogCheckpoint(Checkpoint checkpoint, String text, String signatures) {

  /**
   * Reads a signed checkpoint; {@code Valid} only when one of these keys signed it under its own
   * name. Signatures of other keys are ignored.
   */
  public static OpenedNote<LogCheckpoint> open(byte[] note, Collection<VerifierKey> keys) {
    return SignedNote.openExactly(note, keys)
        .flatMap((signed, key) ->
            Checkpoint.parseExtended(signed.text(), key)
                .flatMap((checkpoint, by) ->
                    new OpenedNote.Valid<>(
                        new LogCheckpoint(checkpoint, signed.text(), signed.signatures()), by)));
  }
}
