package gatebook.api.stdio;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;

/** Standard output, which belongs to frames: whoever else prints, prints to standard error. */
public final class FrameOutput {

  private FrameOutput() {}

  /** Takes it from everybody; comes before all else in the process. */
  public static void takeAway() {
    System.setOut(System.err);
  }

  static OutputStream forFrames() {
    return new FileOutputStream(FileDescriptor.out);
  }
}
