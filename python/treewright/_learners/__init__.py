"""The learners: parameters of each and the recipe that the core runs. One folder for each family."""
