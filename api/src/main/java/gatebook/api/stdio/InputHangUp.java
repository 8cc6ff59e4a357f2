package gatebook.api.stdio;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Whether the other end of standard input is closed while bytes of it are still unread. Java
 * reports it only after all of them are read, so this asks the operating system ({@code poll(2)}).
 */
final class InputHangUp {
  private static final int STANDARD_INPUT = 0;

  /** {@code POLLHUP}, which is the same on Linux, the BSDs and macOS. */
  private static final short HANG_UP = 0x10;

  /** {@code struct pollfd}: the descriptor, what is asked for, what is so. */
  private static final MemoryLayout POLLED =
      MemoryLayout.structLayout(JAVA_INT, JAVA_SHORT, JAVA_SHORT);

  private static final long RESULT_OFFSET = JAVA_INT.byteSize() + JAVA_SHORT.byteSize();

  @SuppressWarnings("restricted") // the launcher enables native access, which Cedar needs as well
  private static final MethodHandle POLL =
      Linker.nativeLinker()
          .downcallHandle(
              Linker.nativeLinker().defaultLookup().findOrThrow("poll"),
              FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));

  private InputHangUp() {}

  static boolean isHungUp() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment polled = arena.allocate(POLLED);
      polled.set(JAVA_INT, 0, STANDARD_INPUT);
      int ready = (int) POLL.invokeExact(polled, 1L, 0);
      return ready > 0 && (polled.get(JAVA_SHORT, RESULT_OFFSET) & HANG_UP) != 0;
    } catch (Throwable e) {
      throw new IllegalStateException("standard input cannot be polled", e);
    }
  }
}
