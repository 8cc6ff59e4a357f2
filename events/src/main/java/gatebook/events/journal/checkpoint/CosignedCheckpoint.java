package gatebook.events.journal.checkpoint;

import java.util.List;

/**
 * A checkpoint with the cosignature of a witness.
 *
 * @param text what the log signed
 * @param line of the cosignature; it ends with a line feed
 * @param seconds since 1970, when the witness says that it cosigned
 */
public record CosignedCheckpoint(Checkpoint checkpoint, String text, String line, long seconds) {

  /**
   * Reads a note; {@code Valid} only when this witness cosigned it. All other signatures are
   * ignored, that of the log too.
   */
  public static OpenedNote<CosignedCheckpoint> open(byte[] note, VerifierKey witness) {
    return LogCheckpoint.open(note, List.of(witness))
        .flatMap((cosigned, key) ->
            new OpenedNote.Valid<>(
                new CosignedCheckpoint(
                    cosigned.checkpoint(),
                    cosigned.text(),
                    cosigned.signatures(),
                    Cosignature.seconds(cosigned.signatures())),
                key));
  }
}
