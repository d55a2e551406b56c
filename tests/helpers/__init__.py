"""What several tests share: fitted models, runners of the command line and of other programs."""
