package gatebook.api.stdio;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class HeapLimitTest {

  private static final long MIB = 1 << 20;

  @Test
  void bodyIsAtMostASixteenthOfTheHeap() {
    assertThat(HeapLimit.bodyBytesMax(64 * MIB)).isEqualTo(4 * MIB);
    assertThat(HeapLimit.bodyBytesMax(4_096 * MIB)).isEqualTo(256 * MIB);
    assertThat(HeapLimit.bodyBytesMax()).isEqualTo(Runtime.getRuntime().maxMemory() / 16);
  }

  @Test
  void smallHeapLimitsTheBytesReadAhead() {
    assertThat(HeapLimit.aheadBytesMax(64 * MIB)).isEqualTo(2 * MIB);
    assertThat(HeapLimit.aheadBytesMax(1_024 * MIB - 32)).isEqualTo(32 * MIB - 1);
  }

  @Test
  void largeHeapDoesNotRaiseTheBytesReadAhead() {
    assertThat(HeapLimit.aheadBytesMax(1_024 * MIB)).isEqualTo(32 * MIB);
    assertThat(HeapLimit.aheadBytesMax(1_024 * MIB + 32)).isEqualTo(32 * MIB);
    assertThat(HeapLimit.aheadBytesMax(Long.MAX_VALUE)).isEqualTo(32 * MIB);
  }
}
