package gatebook.api.node.casefile;

import static org.assertj.core.api.Assertions.assertThat;

import gatebook.api.casefile.CaseCheck;
import gatebook.api.casefile.CaseVerdict;
import gatebook.events.journal.checkpoint.VerifierKey;
import java.nio.file.Path;

/** Both checkers of case files. */
public final class CaseCheckers {
  private final SmallChecker smallChecker;

  private CaseCheckers(SmallChecker smallChecker) {
    this.smallChecker = smallChecker;
  }

  /** Compiles the small checker into an empty folder. */
  public static CaseCheckers in(Path folder) {
    return new CaseCheckers(SmallChecker.in(folder));
  }

  SmallChecker small() {
    return smallChecker;
  }

  /** The verdict on a file that both accept. */
  public CaseVerdict.Accepted accepted(byte[] file, VerifierKey key) {
    assertThat(smallChecker.shown(file, key.text())).isPresent();
    return switch (CaseCheck.check(file, key)) {
      case CaseVerdict.Accepted accepted -> accepted;
      case CaseVerdict.Refused(var sentence) -> throw new AssertionError(sentence);
    };
  }

  /** Requires that both refuse a file; the sentence says why. */
  public String refused(byte[] file, VerifierKey key) {
    assertThat(smallChecker.shown(file, key.text())).isEmpty();
    return switch (CaseCheck.check(file, key)) {
      case CaseVerdict.Accepted _ -> throw new AssertionError("it is accepted");
      case CaseVerdict.Refused(var sentence) -> sentence;
    };
  }
}
