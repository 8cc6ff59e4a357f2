package gatebook.api.cli;

import com.fasterxml.jackson.databind.JsonNode;
import picocli.CommandLine.ExitCode;

/** The result of one verification, by a server or directly. */
sealed interface VerifyResult {
  /** The exit code when nothing is wrong, and content keys are missing. */
  int KEYS_MISSING = 3;

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

    int exitCode() {
      if (!report.path("clean").booleanValue()) {
        return ExitCode.SOFTWARE;
      }
      return report.path("missingKeys").path("events").longValue() > 0 ? KEYS_MISSING : ExitCode.OK;
    }
  }

  /** The journal could not be checked; the sentence says why. */
  record Unchecked(String sentence) implements VerifyResult {}
}
