"""What lists are like besides right: popular, novel, diverse, serendipitous."""
