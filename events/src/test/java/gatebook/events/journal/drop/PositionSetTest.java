package gatebook.events.journal.drop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class PositionSetTest {
  private static final PositionSet SET =
      PositionSet.of(List.of(300L, 3L, 130L, 131L, Long.MAX_VALUE));

  @Test
  void positionsAreEncodedAsGrowingDifferences() {
    assertThat(PositionSet.of(List.of(300L, 3L, 130L)).encode()).containsExactly(3, 127, 0xAA, 1);
    assertThat(PositionSet.NONE.encode()).isEmpty();
  }

  @Test
  void anEncodedSetIsDecoded() {
    assertThat(PositionSet.decode(SET.encode())).contains(SET);
    assertThat(PositionSet.decode(new byte[0])).contains(PositionSet.NONE);
  }

  @Test
  void otherBytesAreNoSet() {
    assertThat(PositionSet.decode(new byte[] {0})).isEmpty();
    assertThat(PositionSet.decode(new byte[] {(byte) 0x81})).isEmpty();
    assertThat(PositionSet.decode(new byte[] {(byte) 0x81, 0})).isEmpty();
    byte[] tooLong = new byte[10];
    Arrays.fill(tooLong, (byte) 0xFF);
    assertThat(PositionSet.decode(tooLong)).isEmpty();
  }

  @Test
  void aSetContainsItsPositionsOnly() {
    assertThat(List.of(3L, 130L, 131L, 300L)).allMatch(SET::contains);
    assertThat(List.of(1L, 2L, 4L, 129L, 132L, 299L)).noneMatch(SET::contains);
    assertThat(SET.isWithin(3, Long.MAX_VALUE)).isTrue();
    assertThat(SET.isWithin(4, Long.MAX_VALUE)).isFalse();
    assertThat(SET.isWithin(3, Long.MAX_VALUE - 1)).isFalse();
  }
}
