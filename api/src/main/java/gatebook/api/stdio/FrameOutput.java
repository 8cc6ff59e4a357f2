package gatebook.api.stdio;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;

/** The output stream of frames: standard output, which nothing else may write to. */
public final class FrameOutput {

  private FrameOutput() {}

  /** Redirects {@link System#out} to standard error; must run first in the process. */
  public static void redirectSystemOut() {
    System.setOut(System.err);
  }

  static OutputStream forFrames() {
    return new FileOutputStream(FileDescriptor.out);
  }
}
