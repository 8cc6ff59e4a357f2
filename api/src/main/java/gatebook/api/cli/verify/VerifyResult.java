package gatebook.api.cli.verify;

import com.fasterxml.jackson.databind.JsonNode;

/** What one verification ends in, whoever did it. */
sealed interface VerifyResult {
  /**
   * The journal was read.
   *
   * @param report as a server answers it
   * @param note what else is to be told; empty when nothing is
   */
  record Checked(JsonNode report, String note) implements VerifyResult {
    Checked(JsonNode report) {
      this(report, "");
    }

    boolean clean() {
      return report.path("clean").booleanValue();
    }
  }

  /** It could not be checked; the sentence says why. */
  record Unchecked(String sentence) implements VerifyResult {}
}
