package gatebook.api.erasure;

import java.util.List;
import java.util.UUID;

/** The result of asking for an erasure of content. */
public sealed interface ErasureResult {

  /**
   * The keys are destroyed.
   *
   * @param heldCalls how many held calls ended
   */
  record Completed(UUID erasureId, long keys, long heldCalls) implements ErasureResult {}

  /** There was no key to destroy. */
  record NothingToErase() implements ErasureResult {}

  /** Legal holds forbid it, and nothing was erased. */
  record Held(UUID erasureId, List<String> holds) implements ErasureResult {}

  /** It began, and is finished later, at the latest by the next start. */
  record Unfinished(UUID erasureId, String reason) implements ErasureResult {}

  /** Nothing was erased, and nothing will be; the sentence says why. */
  record NotDone(String reason) implements ErasureResult {}
}
