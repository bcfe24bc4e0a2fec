//! What the command line and the Python package share: scenarios, studies and traces from files, and the runs of a study, made beside other processes.
