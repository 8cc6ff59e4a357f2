package gatebook.api.cli;

import com.fasterxml.jackson.databind.JsonNode;

/** The result of one verification, by a server or directly. */
sealed interface VerifyResult {
  /**
   * The journal was checked.
   *
   * @param report as a server returns it
   * @param note an additional line; empty when there is none
   */
  record Checked(JsonNode report, String note) implements VerifyResult {
    Checked(JsonNode report) {
      this(report, "");
    }

    boolean clean() {
      return report.path("clean").booleanValue();
    }
  }

  /** The journal could not be checked; the sentence says why. */
  record Unchecked(String sentence) implements VerifyResult {}
}
