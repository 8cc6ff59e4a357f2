package gatebook.events.vocabulary;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import gatebook.events.call.Gate;
import gatebook.events.fault.Fault;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FaultFormTest {
  private final ObjectMapper mapper = EventJson.mapper();

  static List<Fault> samples() {
    return Samples.faults();
  }

  @ParameterizedTest
  @MethodSource("samples")
  void aFaultMatchesItsGoldenFileAndIsReadBack(Fault fault) throws IOException {
    var written = mapper.writeValueAsString(fault) + "\n";

    var golden = Golden.text("faults/" + fault.kind() + ".json", written);

    assertThat(written).isEqualTo(golden);
    assertThat(mapper.readValue(golden, Fault.class)).isEqualTo(fault);
  }

  @ParameterizedTest
  @MethodSource("samples")
  void whatMayBeAbsentStaysAbsent(Fault fault) throws IOException {
    var without = Absent.without((Record) fault);

    assertThat(mapper.readValue(mapper.writeValueAsString(without), Fault.class))
        .isEqualTo(without);
  }

  @Test
  void everyKindHasAGoldenFile() throws IOException {
    assertThat(Golden.names("faults"))
        .containsExactlyInAnyOrderElementsOf(
            SealedFamilies.leaves(Fault.class)
                .map(kind -> kind.getSimpleName() + ".json")
                .toList());
  }

  @Test
  void gateCategoryAndSeverityMatchTheTable() throws IOException {
    var table =
        samples().stream()
            .sorted(Comparator.comparing(Fault::kind))
            .map(FaultFormTest::line)
            .collect(joining("\n", "", "\n"));

    assertThat(table).isEqualTo(Golden.text("faults.txt", table));
  }

  private static String line(Fault fault) {
    return Stream.of(
            fault.kind(),
            fault.gate().map(Gate::word).orElse("-"),
            fault.category().word(),
            fault.severity().word())
        .collect(joining(" "));
  }
}
