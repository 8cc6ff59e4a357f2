package gatebook.api.casefile;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The first line of a manifest, which says its version. */
final class CaseManifestTest {

  @ParameterizedTest
  @ValueSource(ints = {2, 999_999})
  void aNewerVersionIsRefusedByItsNumber(int version) {
    assertThat(CaseManifest.newer("gatebook case file %d\norigin o\n".formatted(version)))
        .contains(
            "the case file has format %d and this version knows 1: use a newer gatebook"
                .formatted(version));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "gatebook case file 1\n", "gatebook case file 02\n", "another\n"})
  void whatIsNotNewerIsNot(String text) {
    assertThat(CaseManifest.newer(text)).isEmpty();
  }
}
