package gatebook.api.stdio;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class StdinReaderLimitTest {

  private static final long MIB = 1 << 20;

  @ParameterizedTest
  @CsvSource({"64, 2", "1024, 32", "4096, 32"})
  void heapLimitsTheBytesReadAhead(long heapMib, long aheadMib) {
    assertThat(StdinReader.aheadBytesMax(heapMib * MIB)).isEqualTo(aheadMib * MIB);
  }
}
